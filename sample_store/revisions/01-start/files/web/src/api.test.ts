import { fetchTools } from "./api";

test("tools are fetched", async () => {
  expect(typeof fetchTools).toBe("function");
});
