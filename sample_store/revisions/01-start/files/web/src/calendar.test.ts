import { LoanCalendar } from "./calendar";

test("five weeks are shown", () => {
  expect(new LoanCalendar(new Date(2026, 0, 12)).days()).toHaveLength(35);
});
