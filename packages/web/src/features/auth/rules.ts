import { t } from "@lingui/core/macro";
import { z } from "zod";

export const email = z.email({ error: t`E-mail is not valid.` }).max(254, { error: t`E-mail is not valid.` });
export const presentPassword = z.string().min(1, { error: t`Password is not valid.` });
export const newPassword = z
  .string()
  .min(10, { error: t`Password needs at least 10 characters.` })
  .max(128, { error: t`Password may have at most 128 characters.` });
export const username = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{2,31}$/, { error: t`Username is not valid: 3 to 32 small letters, digits, _ and -.` });
export const name = z
  .string()
  .refine((value) => value.trim().length >= 1 && value.trim().length <= 64, { error: t`Name is not valid.` });
/** Six digits of an app, or a recovery code. */
export const code = z
  .string()
  .refine((value) => /^\s*\d{3}\s?\d{3}\s*$/.test(value) || /^\s*[a-z0-9]{5}-?[a-z0-9]{5}\s*$/i.test(value), {
    error: t`Code is not valid.`,
  });

export const logIn = z.object({ email, password: presentPassword });
export const register = z.object({ email, password: newPassword });
export const forgot = z.object({ email });
export const reset = z.object({ password: newPassword, end_keys: z.boolean() });
export const secondFactor = z.object({ code });
