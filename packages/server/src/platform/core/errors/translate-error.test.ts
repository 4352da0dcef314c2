import { expect, test } from "vitest";
import { AppError, errors } from "./index.ts";
import { type ErrorTranslations, translateError } from "./translate-error.ts";

const WRONG_CODE = "Dieser Code ist falsch.";
const TRANSLATIONS: ErrorTranslations = {
  byCode: {
    de: {
      key_expired: "Dieser API-Schlüssel ist abgelaufen.",
      ip_not_allowed: "Von {ip} aus darf dieser API-Schlüssel nicht benutzt werden.",
      unauthorized: "Melden Sie sich an, oder senden Sie einen API-Schlüssel.",
      key_scope_denied: "Das darf dieser Schlüssel nicht.",
    },
    es: {},
    fr: {},
    ja: {},
    "zh-Hans": {},
  },
  translateText: (text, language) => (language === "de" && text === "This code is wrong." ? WRONG_CODE : text),
};
const inGerman = (error: AppError) => translateError(error, "de-AT,en;q=0.5", TRANSLATIONS);

test("an error has its message in the language of the caller, and everything else as before", () => {
  const error = errors.keyExpired({ details: { since: "2026-11-01" }, headers: { "x-hint": "a" } });
  const translated = inGerman(error);
  expect(translated.message).toBe("Dieser API-Schlüssel ist abgelaufen.");
  expect(translated).toMatchObject({ status: 401, code: "key_expired", type: error.type, details: error.details });
  expect(translated.headers).toEqual({ ...error.headers, "content-language": "de" });
});

test("the values of the case stand in the translated message", () => {
  expect(inGerman(errors.ipNotAllowed({ ip: "203.0.113.7" })).message).toBe(
    "Von 203.0.113.7 aus darf dieser API-Schlüssel nicht benutzt werden.",
  );
});

test("a value that looks like a placeholder stays as it is", () => {
  expect(inGerman(errors.ipNotAllowed({ ip: "{ip} $& {x}" })).message).toBe(
    "Von {ip} $& {x} aus darf dieser API-Schlüssel nicht benutzt werden.",
  );
});

test("the usual wording is translated, and a wording for the case stays in English", () => {
  expect(inGerman(errors.unauthorized()).message).toBe(TRANSLATIONS.byCode.de.unauthorized);
  const special = errors.unauthorized("This session belongs to another server.");
  expect(inGerman(special)).toBe(special);
});

test.each([
  ["no header", undefined],
  ["any language, as programs ask for", "*"],
  ["English", "en-US"],
  ["a language without texts", "nl"],
  ["a language whose text is missing", "fr"],
])("an error stays in English for %s", (_case, header) => {
  const error = errors.keyExpired();
  expect(translateError(error, header, TRANSLATIONS)).toBe(error);
});

test("an error with the code of another server stays as it is", () => {
  const error = new AppError(400, "constructor", "From elsewhere.");
  expect(inGerman(error)).toBe(error);
});

test("a message that is written in the code is translated by its text, also where it is about a field", () => {
  const message = "This code is wrong.";
  const fields = [
    { field: "code", message },
    { field: "name", message: "Something else." },
  ];
  const translated = inGerman(errors.auth.wrongCode(message, { param: "code", details: { fields, hint: 1 } }));
  expect(translated.message).toBe(WRONG_CODE);
  expect(translated.details).toEqual({
    fields: [
      { field: "code", message: WRONG_CODE },
      { field: "name", message: "Something else." },
    ],
    hint: 1,
  });
});

test("a field's message that is the message of the contract is translated with it", () => {
  const english = errors.keyExpired().message;
  const translated = inGerman(errors.keyExpired({ details: { fields: [{ field: "key", message: english }] } }));
  expect(translated.details).toEqual({ fields: [{ field: "key", message: translated.message }] });
});
