import type { Schemas } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Form } from "#/components/ui/form.tsx";
import { feather } from "#/lib/feather.ts";
import { PasskeyButton } from "./passkey-button.tsx";
import type { User } from "./user.ts";
import { askForPasskey, knowsPasskeys } from "./webauthn.ts";

const rules = async () => (await import("./rules.ts")).secondFactor;

/** A login that waits for a second factor. */
export type Challenge = Schemas["SecondFactorChallenge"];

/** Returns whether the response to a login asks for a second factor. */
export function isChallenge(answer: User | Challenge): answer is Challenge {
  return "second_factor" in answer;
}

/** Asks for the second factor of a login: a passkey where there is one, or a code. */
export function SecondFactorForm({
  challenge,
  done,
}: {
  challenge: Challenge;
  done(user: User): void | Promise<void>;
}) {
  const { methods, passkey } = challenge;
  const hasApp = methods.includes("totp");
  const offersPasskey = passkey !== null && knowsPasskeys();
  const codeForm = (
    <Form
      schema={rules}
      quiet={offersPasskey && !hasApp}
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
      submit={async (values) => {
        await done(await feather.auth.secondFactor({ challenge: challenge.challenge, code: values.code.trim() }));
      }}
    />
  );
  if (passkey === null || !offersPasskey) return codeForm;
  return (
    <>
      <PasskeyButton
        label={t`Use a passkey`}
        primary={!hasApp}
        signIn={async () =>
          feather.auth.secondFactor({ challenge: challenge.challenge, passkey: await askForPasskey(passkey) })
        }
        done={done}
      />
      <p className="label mt-6 mb-2">{t`or`}</p>
      {codeForm}
    </>
  );
}
