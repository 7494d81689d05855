import { addDays, startOfWeek } from "date-fns";

const WEEKS_SHOWN = 5;

export function monthDays(today: Date): Date[] {
  const monday = startOfWeek(today, { weekStartsOn: 1 });
  return Array.from({ length: WEEKS_SHOWN * 7 }, (_, day) => addDays(monday, day));
}
