// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { i18n } from "#/i18n/runtime.ts";
import {
  activateLocale,
  chooseLanguage,
  differsFromLanguage,
  followLanguage,
  noteLanguageSaved,
  unsavedLanguage,
} from "./language.ts";

afterEach(() => {
  localStorage.clear();
  i18n.activate("en");
});

test("a language that was chosen is loaded, and the page says which it is", async () => {
  chooseLanguage("de", () => {});
  await activateLocale();
  expect([i18n.locale, document.documentElement.lang, document.documentElement.dir]).toEqual(["de", "de", "ltr"]);
});

test("what is chosen counts as unsaved until the account has it", () => {
  const reload = vi.fn();
  chooseLanguage("fr", reload);
  expect(reload).toHaveBeenCalledOnce();
  expect([unsavedLanguage(), differsFromLanguage("fr"), differsFromLanguage(null)]).toEqual(["fr", true, true]);
  noteLanguageSaved();
  expect([unsavedLanguage(), differsFromLanguage(null)]).toEqual([null, false]);
});

test("the language of the account is taken over with a reload, once, and only if the site has it", () => {
  const reload = vi.fn();
  expect([differsFromLanguage("en"), differsFromLanguage("ja")]).toEqual([false, true]);
  followLanguage("xx", reload);
  followLanguage("en", reload);
  expect(reload).not.toHaveBeenCalled();
  followLanguage("ja", reload);
  followLanguage("ja", reload);
  expect(reload).toHaveBeenCalledOnce();
  expect(unsavedLanguage()).toBeNull();
});
