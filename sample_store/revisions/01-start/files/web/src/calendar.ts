import { addDays, startOfWeek } from "date-fns";

export class LoanCalendar {
  constructor(private readonly firstDay: Date) {}

  days(): Date[] {
    const monday = startOfWeek(this.firstDay, { weekStartsOn: 1 });
    return Array.from({ length: 35 }, (_, day) => addDays(monday, day));
  }
}
