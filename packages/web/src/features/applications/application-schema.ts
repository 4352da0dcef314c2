import type { Application } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import { createFieldLookup } from "#/lib/field-errors.ts";
import { SCOPES } from "./labels.ts";
import { parseRedirectUris, validateRedirectUris } from "./redirect-uris.ts";

/** Characters that are invisible, or that change the reading direction of others. */
const DECEPTIVE_CHARACTERS = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;

const createWebAddressSchema = (field: string) =>
  z
    .string()
    .trim()
    .refine((text) => text === "" || (/^https?:\/\//.test(text) && URL.canParse(text) && text.length <= 2000), {
      error: t`${field} is not valid: it begins with https:// or http://.`,
    });

/** The schema of the application form. */
export const applicationSchema = z.object({
  name: z
    .string()
    .refine((text) => text.trim().length >= 1 && text.trim().length <= 64, { error: t`Name is not valid.` })
    .refine((text) => !DECEPTIVE_CHARACTERS.test(text), {
      error: t`Name is not valid: it holds characters that cannot be seen.`,
    }),
  description: z.string().max(1000, { error: t`Description is not valid: 1,000 characters at most.` }),
  homepage_url: createWebAddressSchema(t`Homepage`),
  logo_url: createWebAddressSchema(t`Logo`),
  redirect_uris: z.string().superRefine((text, context) => {
    for (const message of validateRedirectUris(text)) context.addIssue({ code: "custom", message });
  }),
  scopes: z.array(z.enum(SCOPES.map(({ id }) => id))),
  device_flow: z.boolean(),
  client_type: z.enum(["confidential", "public"]),
});
/** The values of the application form. */
export type ApplicationValues = z.infer<typeof applicationSchema>;

/** Values of the form for a new application. */
export const EMPTY_APPLICATION: ApplicationValues = {
  name: "",
  description: "",
  homepage_url: "",
  logo_url: "",
  redirect_uris: "",
  scopes: ["user.read"],
  device_flow: false,
  client_type: "confidential",
};

/** Returns an application as values of the form. */
export function toFormValues(application: Application): ApplicationValues {
  const { name, description, homepage_url, logo_url, redirect_uris, scopes, device_flow, client_type } = application;
  return {
    name,
    description,
    homepage_url: homepage_url ?? "",
    logo_url: logo_url ?? "",
    redirect_uris: redirect_uris.join("\n"),
    scopes,
    device_flow,
    client_type,
  };
}

/** Returns the form's values as a request body; empty addresses become null. */
export function toRequestBody(values: ApplicationValues) {
  const { name, description, homepage_url, logo_url, redirect_uris, scopes, device_flow } = values;
  return {
    name: name.trim(),
    description: description.trim(),
    homepage_url: homepage_url.trim() || null,
    logo_url: logo_url.trim() || null,
    redirect_uris: parseRedirectUris(redirect_uris),
    scopes,
    device_flow,
  };
}

/** Returns the form's field for a field of the API; null where it has none. */
export const toFieldName = createFieldLookup(Object.keys(EMPTY_APPLICATION) as (keyof ApplicationValues)[]);
