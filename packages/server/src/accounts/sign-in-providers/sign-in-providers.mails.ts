import { defineMailTemplate } from "../../platform/mail/index.ts";

const SHARED = { kind: "account_security", group: "sign_in" } as const;
const WARNING = "If that was not you, reset your password at once: {{ site }}/reset-password";
const PROVIDER = { description: "Name of the sign-in provider.", sample: "GitHub" } as const;

/** Tells people that their account can be signed in to with a provider. */
export const providerConnectedMail = defineMailTemplate({
  ...SHARED,
  name: "provider_connected",
  title: "Sign-in provider connected",
  description: "Sent to people who connect a sign-in provider with their account.",
  subject: "{{ provider }} was connected to your account at {{ product }}",
  text: `Your account can now be signed in to with {{ provider }}{{#provider_email}} ({{ provider_email }}){{/provider_email}}.\n\n${WARNING}`,
  variables: {
    provider: PROVIDER,
    provider_email: {
      description: "Address of the account at the provider; none if the provider gave none.",
      sample: "maria@example.com",
      optional: true,
    },
  },
});

/** Tells people that their account can no longer be signed in to with a provider. */
export const providerDisconnectedMail = defineMailTemplate({
  ...SHARED,
  name: "provider_disconnected",
  title: "Sign-in provider disconnected",
  description: "Sent to people who disconnect a sign-in provider from their account.",
  subject: "{{ provider }} was disconnected from your account at {{ product }}",
  text: `Your account can no longer be signed in to with {{ provider }}.\n\n${WARNING}`,
  variables: { provider: PROVIDER },
});

/** The templates of mails about sign-in providers. */
export const signInProviderMails = [providerConnectedMail, providerDisconnectedMail] as const;
