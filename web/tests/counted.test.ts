import { expect, test } from "vitest";
import { counted } from "../src/counted";

test("one thing is one, and long numbers have commas", () => {
  expect([0, 1, 2, 12_345].map((number) => counted(number, "note"))).toEqual(["0 notes", "1 note", "2 notes", "12,345 notes"]);
  expect(counted(2, "way in", "ways in")).toBe("2 ways in");
});
