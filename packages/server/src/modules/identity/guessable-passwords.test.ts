import { expect, test } from "vitest";
import { isGuessablePassword } from "./guessable-passwords.ts";

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
])("refuses %s", (password) => {
  expect(isGuessablePassword(password, names)).toBe(true);
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
