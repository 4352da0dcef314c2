import { t } from "@lingui/core/macro";
import { useState } from "react";
import { z } from "zod";
import { CopyBlock } from "#/components/ui/code.tsx";
import { Dialog } from "#/components/ui/dialog.tsx";
import { Form } from "#/components/ui/form.tsx";
import { StateBadge } from "#/components/ui/primitives.tsx";
import { SettingsSection } from "#/components/ui/settings-section.tsx";
import { code, currentPasswordSchema } from "#/entities/session/schemas.ts";
import type { User } from "#/entities/session/user.ts";
import { feather } from "#/lib/feather.ts";
import { ReauthenticationDialog } from "./reauthentication-dialog.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

type Props = { user: User; onChanged(): Promise<void> };

/** Settings of the authenticator app: set up and switch off. */
export function SecondFactorSetup({ user, onChanged }: Props) {
  const enabled = user.totp_enabled;
  const [setup, setSetup] = useState<{ secret: string; uri: string } | null>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const [disabling, setDisabling] = useState(false);
  const [starting, setStarting] = useState(false);

  return (
    <SettingsSection
      title={t`Authenticator app`}
      description={
        enabled
          ? t`Logging in asks for a code of your authenticator app, or one of your recovery codes.`
          : t`A code of an app as second factor makes a leaked password worthless.`
      }
    >
      {user.second_factor_required ? (
        <p className="notice mb-4" role="status">
          {t`The operator of this site asks for a second factor. Set one up to go on.`}
        </p>
      ) : null}
      <div className="row wraps between">
        <StateBadge tier={enabled ? "good" : "cold"}>{enabled ? t`on` : t`off`}</StateBadge>
        {enabled ? (
          <button type="button" className="btn" onClick={() => setDisabling(true)}>
            {t`Switch off`}
          </button>
        ) : (
          <button type="button" className="btn" onClick={() => setStarting(true)}>
            {t`Set up`}
          </button>
        )}
      </div>
      <ReauthenticationDialog
        user={user}
        open={starting}
        close={() => setStarting(false)}
        title={t`Set up a second factor`}
        description={t`All other sessions of your account end once it is set up. Your address is told of it.`}
        submitLabel={t`Go on`}
        submit={async (proof) => {
          setSetup(await feather.auth.totp.begin(proof));
        }}
      />
      <Dialog
        open={setup !== null}
        onClose={() => setSetup(null)}
        title={t`Set up a second factor`}
        description={t`Add this secret to your authenticator app, then type the code it shows.`}
      >
        {setup ? (
          <>
            <CopyBlock text={setup.secret} />
            <p className="small mt-2 mb-4">
              <a className="link" href={setup.uri}>
                {t`Open it in an app on this device`}
              </a>
            </p>
            <Form
              schema={z.object({ code })}
              initial={{ code: "" }}
              fields={[{ name: "code", label: t`Code`, autoComplete: "one-time-code", inputMode: "numeric" }]}
              submitLabel={t`Switch on`}
              submit={async (values) => {
                const answer = await feather.auth.totp.confirm({ code: values.code.replaceAll(/\s/g, "") });
                setSetup(null);
                setCodes(answer.recovery_codes);
                await onChanged();
              }}
            />
          </>
        ) : null}
      </Dialog>
      <RecoveryCodes codes={codes} close={() => setCodes([])} />
      <Dialog open={disabling} onClose={() => setDisabling(false)} title={t`Switch the second factor off`}>
        {disabling ? (
          <Form
            schema={z.object({ code, password: user.has_password ? currentPasswordSchema : z.string() })}
            initial={{ code: "", password: "" }}
            fields={[
              {
                name: "code",
                label: t`Code`,
                autoComplete: "one-time-code",
                autoFocus: true,
                hint: t`Of the app, or a recovery code.`,
              },
              ...(user.has_password
                ? [
                    {
                      name: "password" as const,
                      label: t`Your password`,
                      type: "password",
                      autoComplete: "current-password",
                    },
                  ]
                : []),
            ]}
            submitLabel={t`Switch off`}
            submit={async (values) => {
              const proof = user.has_password ? { password: values.password } : {};
              await feather.auth.totp.disable({ code: values.code.trim(), ...proof });
              setDisabling(false);
              await onChanged();
            }}
          />
        ) : null}
      </Dialog>
    </SettingsSection>
  );
}
