import { z } from "zod";
import { fromJson, httpUrl, type SettingDeclarations, type SettingsOf } from "../../platform/core/settings.ts";

const signInProvider = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/),
  name: z.string().min(1).max(64).optional(),
  issuer: httpUrl.optional(),
  client_id: z.string().min(1),
  client_secret: z.string().min(1).optional(),
  scope: z.string().optional(),
});

/** A sign-in provider: `github`, `google` and `huggingface` are preset, any other needs its OpenID Connect issuer. */
export type SignInProviderSetting = z.infer<typeof signInProvider>;

/** Paths below /api/auth that are in use. */
const RESERVED_PROVIDER_IDS = ["sessions", "totp", "passkeys"];
const PRESET_PROVIDERS = ["github", "google", "huggingface"];
const signInProviders = z
  .array(signInProvider)
  .refine(
    (list) => !list.some(({ id }) => RESERVED_PROVIDER_IDS.includes(id)),
    `a provider cannot be called ${RESERVED_PROVIDER_IDS.join(" or ")}`,
  )
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, "two providers have the same id")
  .refine(
    (list) => list.every(({ id, issuer }) => issuer !== undefined || PRESET_PROVIDERS.includes(id)),
    "a provider other than github, google and huggingface needs its issuer",
  );

/** The providers that people can sign in with. */
export const signInProviderSettings = {
  providers: {
    env: "FEATHER_SIGN_IN_PROVIDERS",
    doc: 'Providers to sign in with, as JSON: [{"id":"github","client_id","client_secret"}, {"id":"company","name","issuer","client_id","client_secret"}].',
    schema: fromJson(signInProviders),
    default: "[]",
    secret: true,
    editable: true,
  },
} as const satisfies SettingDeclarations;

/** The settings of sign-in providers. */
export type SignInProviderSettings = SettingsOf<typeof signInProviderSettings>;
