import type { SecondFactorChallenge, User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Form } from "#/components/ui/forms/form.tsx";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { PasskeyButton } from "./passkey-button.tsx";
import { requestPasskey, supportsPasskeys } from "./webauthn.ts";

const loadSecondFactorSchema = async () => (await import("#/entities/session/schemas.ts")).secondFactorSchema;

/** Returns whether the response to a login asks for a second factor. */
export function isChallenge(result: User | SecondFactorChallenge): result is SecondFactorChallenge {
  return "second_factor" in result;
}

/** Asks for the second factor of a login: a passkey where there is one, or a code. */
export function SecondFactorForm({
  challenge,
  onSignedIn,
}: {
  challenge: SecondFactorChallenge;
  onSignedIn(user: User): void | Promise<void>;
}) {
  const { methods, passkey } = challenge;
  const hasApp = methods.includes("totp");
  const offersPasskey = passkey !== null && supportsPasskeys();
  const sending = useAction((code: string) => feather.auth.secondFactor({ challenge: challenge.challenge, code }), {
    onSuccess: onSignedIn,
  });
  const codeForm = (
    <Form
      schema={loadSecondFactorSchema}
      secondary={offersPasskey && !hasApp}
      initial={{ code: "" }}
      fields={[
        {
          name: "code",
          label: t`Code`,
          autoComplete: "one-time-code",
          autoFocus: hasApp || !offersPasskey,
          hint: hasApp ? t`Six digits of your authenticator app, or a recovery code.` : t`One of your recovery codes.`,
        },
      ]}
      submitLabel={t`Log in`}
      submit={(values) => sending.submit(values.code.trim())}
    />
  );
  if (passkey === null || !offersPasskey) return codeForm;
  return (
    <>
      <PasskeyButton
        label={t`Use a passkey`}
        primary={!hasApp}
        signIn={async () =>
          feather.auth.secondFactor({ challenge: challenge.challenge, passkey: await requestPasskey(passkey) })
        }
        onSignedIn={onSignedIn}
      />
      <p className="label mt-6 mb-2">{t`or`}</p>
      {codeForm}
    </>
  );
}
