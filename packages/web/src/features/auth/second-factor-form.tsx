import type { Schemas } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Form } from "#/components/ui/form.tsx";
import { feather } from "#/lib/feather.ts";
import type { User } from "./user.ts";

const rules = async () => (await import("./rules.ts")).secondFactor;

export type Challenge = Schemas["SecondFactorChallenge"];

/** Whether a log-in asks for a code before it answers the user. */
export function isChallenge(answer: User | Challenge): answer is Challenge {
  return "second_factor" in answer;
}

/** Asks for the code that a log-in waits for. */
export function SecondFactorForm({
  challenge,
  done,
}: {
  challenge: Challenge;
  done(user: User): void | Promise<void>;
}) {
  return (
    <Form
      schema={rules}
      initial={{ code: "" }}
      fields={[
        {
          name: "code",
          label: t`Code`,
          autoComplete: "one-time-code",
          autoFocus: true,
          hint: t`Six digits of your authenticator app, or a recovery code.`,
        },
      ]}
      submitLabel={t`Log in`}
      submit={async (values) => {
        await done(await feather.auth.secondFactor({ challenge: challenge.challenge, code: values.code.trim() }));
      }}
    />
  );
}
