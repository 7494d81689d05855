import { expect, test } from "vitest";

import { monthDays } from "../src/calendar";

test("five weeks are shown", () => {
  expect(monthDays(new Date(2026, 0, 12))).toHaveLength(35);
});
