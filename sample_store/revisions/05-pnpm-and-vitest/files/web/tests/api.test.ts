import { expect, test } from "vitest";

import { fetchTools } from "../src/api";

test("tools are fetched", async () => {
  expect(typeof fetchTools).toBe("function");
});
