import { t } from "@lingui/core/macro";
import { z } from "zod";

/** An e-mail address. */
export const email = z.email({ error: t`E-mail is not valid.` }).max(254, { error: t`E-mail is not valid.` });
/** The current password: not empty. */
export const currentPasswordSchema = z.string().min(1, { error: t`Password is not valid.` });
/** A new password of 10 to 128 characters. */
export const newPasswordSchema = z
  .string()
  .min(10, { error: t`Password needs at least 10 characters.` })
  .max(128, { error: t`Password may have at most 128 characters.` });
/** A username of 3 to 32 characters. */
export const usernameSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{2,31}$/, { error: t`Username is not valid: 3 to 32 small letters, digits, _ and -.` });
/** A display name of 1 to 64 characters. */
export const name = z
  .string()
  .refine((value) => value.trim().length >= 1 && value.trim().length <= 64, { error: t`Name is not valid.` });
/** Six digits of an authenticator app, or a recovery code. */
export const code = z
  .string()
  .refine((value) => /^\s*\d{3}\s?\d{3}\s*$/.test(value) || /^\s*[a-z0-9]{5}-?[a-z0-9]{5}\s*$/i.test(value), {
    error: t`Code is not valid.`,
  });

/** The form to log in. */
export const logInSchema = z.object({ email, password: currentPasswordSchema });
/** The form to register. */
export const registerSchema = z.object({ email, password: newPasswordSchema });
/** The form that confirms an e-mail address. */
export const confirmEmailSchema = z.object({ password: currentPasswordSchema });
/** The form to request a link for a new password. */
export const forgotPasswordSchema = z.object({ email });
/** The form to set a new password. */
export const resetPasswordSchema = z.object({ password: newPasswordSchema, end_keys: z.boolean() });
/** The form of the second factor. */
export const secondFactorSchema = z.object({ code });
