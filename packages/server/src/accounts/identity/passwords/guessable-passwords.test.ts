import leakedPasswords from "@zxcvbn-ts/language-common/src/passwords.json" with { type: "json" };
import { expect, test } from "vitest";
import { isGuessablePassword } from "./guessable-passwords.ts";

const MIN_PASSWORD_LENGTH = 10;
const names = ["maria.winter@example.com", "Plume", "marie-w"];

test.each([
  "Password123!",
  "P@ssw0rd2026",
  "Qwerty12345!",
  "feather2026",
  "1234567890a",
  "123passwort!",
  "passwordpassword",
  "1q2w3e4r5t6y",
  "1qaz2wsx3edc",
  "111111111111",
  "Summer2026!!",
  "Plume-2026-!",
  "Winter!!1990",
  "maria.winter@example.com",
  "MariaWinter1",
  "29384756102",
  "christopher",
  "Washington",
  "nuttertools",
  "7ugd5hip2j",
  "tokiohotel",
  "Strawberry-99",
  "buster123456",
  "M3rl1n!2026!",
])("refuses the easily guessed password %s", (password) => {
  expect(isGuessablePassword(password, names)).toBe(true);
});

test("refuses every leaked password of the list, which has more than 3,000, or it is too short", () => {
  expect(leakedPasswords.length).toBeGreaterThan(3_000);
  const isTaken = (password: string) => password.length >= MIN_PASSWORD_LENGTH && !isGuessablePassword(password, []);
  expect(leakedPasswords.filter(isTaken)).toEqual([]);
});

test("refuses as a password the words among the 10,000 most common passwords with digits behind them", () => {
  const words = leakedPasswords.slice(0, 10_000).filter((password) => /^[a-z]{4,}$/.test(password));
  expect(words.length).toBeGreaterThan(5_000);
  expect(words.filter((word) => !isGuessablePassword(`${word}12345678`, []))).toEqual([]);
});

test.each([
  "correct horse battery",
  "feathers-are-light",
  "a long enough secret",
  "k7#mQ2!xP9vL",
  "password of my aunt",
  "83749283746283",
  "Donaudampfschiff",
])("accepts the password %s", (password) => {
  expect(isGuessablePassword(password, names)).toBe(false);
});
