// @vitest-environment happy-dom
import type { User } from "@feather/sdk";
import { afterEach, expect, test, vi } from "vitest";
import { chooseLanguage, unsavedLanguage } from "#/lib/preferences/language.ts";
import { syncLanguage } from "./account-language.ts";

afterEach(() => localStorage.clear());

const userWith = (language: User["language"], impersonatedBy: string | null = null) => ({
  language,
  impersonated_by: impersonatedBy,
});
const choose = (locale: string) => chooseLanguage(locale, () => {});
const calls = () => ({ save: vi.fn(async () => {}), follow: vi.fn() });

test("the language of the account is taken over where none was chosen in this browser", async () => {
  const { save, follow } = calls();
  await syncLanguage(userWith("de"), { save, follow });
  expect(follow.mock.calls).toEqual([["de"]]);
  expect(save).not.toHaveBeenCalled();
});

test("a language that was chosen in this browser is saved in the account, once", async () => {
  choose("fr");
  const { save, follow } = calls();
  await syncLanguage(userWith("de"), { save, follow });
  await syncLanguage(userWith("fr"), { save, follow });
  expect(save.mock.calls).toEqual([["fr"]]);
  expect(follow.mock.calls).toEqual([["fr"]]); // which is the one that the site has
  expect(unsavedLanguage()).toBeNull();
});

test("a choice that could not be saved is saved at the next visit", async () => {
  choose("ja");
  const failing = { save: vi.fn(() => Promise.reject(new Error("offline"))), follow: vi.fn() };
  await syncLanguage(userWith("de"), failing);
  expect(failing.follow).not.toHaveBeenCalled();
  expect(unsavedLanguage()).toBe("ja");
  const { save, follow } = calls();
  await syncLanguage(userWith("de"), { save, follow });
  expect(save.mock.calls).toEqual([["ja"]]);
});

test("nothing changes for an account without a language, and for an admin who acts as somebody else", async () => {
  const { save, follow } = calls();
  await syncLanguage(userWith(null), { save, follow });
  choose("es");
  await syncLanguage(userWith("de", "usr_admin"), { save, follow });
  expect(save).not.toHaveBeenCalled();
  expect(follow).not.toHaveBeenCalled();
  expect(unsavedLanguage()).toBe("es");
});
