import type { TotpDisableRequest, User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useState } from "react";
import { z } from "zod";
import { CopyBlock } from "#/components/ui/code/copy-block.tsx";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import { SettingsSection } from "#/components/ui/forms/settings-section.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { code, currentPasswordSchema } from "#/entities/session/schemas.ts";
import { feather } from "#/lib/feather.ts";
import { useMailDelivery } from "#/lib/site-config.ts";
import { useAction } from "#/lib/use-action.ts";
import { type Reauthentication, ReauthenticationDialog } from "../reauthentication-dialog.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

type Props = { user: User; onChanged(): Promise<void> };

/** Settings of the authenticator app: set up and switch off. */
export function SecondFactorSetup({ user, onChanged }: Props) {
  const sendsMail = useMailDelivery();
  const enabled = user.totp_enabled;
  const [setup, setSetup] = useState<{ secret: string; uri: string } | null>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const [isDisabling, setIsDisabling] = useState(false);
  const begin = useAction((proof: Reauthentication) => feather.auth.totp.begin(proof), { onSuccess: setSetup });
  const confirmation = useAction((totp: string) => feather.auth.totp.confirm({ code: totp }), {
    onSuccess({ recovery_codes }) {
      setSetup(null);
      setCodes(recovery_codes);
      return onChanged();
    },
  });
  const disabling = useAction((body: TotpDisableRequest) => feather.auth.totp.disable(body), {
    onSuccess() {
      setIsDisabling(false);
      return onChanged();
    },
  });
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
      <div className="row wrapping between">
        <StateBadge tier={enabled ? "good" : "cold"}>{enabled ? t`on` : t`off`}</StateBadge>
        {enabled ? (
          <button type="button" className="btn" onClick={() => setIsDisabling(true)}>
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
        description={
          sendsMail
            ? t`All other sessions of your account end once it is set up. Your address is told of it.`
            : t`All other sessions of your account end once it is set up.`
        }
        submitLabel={t`Go on`}
        submit={begin.submit}
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
              submit={(values) => confirmation.submit(values.code.replaceAll(/\s/g, ""))}
            />
          </>
        ) : null}
      </Dialog>
      <RecoveryCodes codes={codes} close={() => setCodes([])} />
      <Dialog open={isDisabling} onClose={() => setIsDisabling(false)} title={t`Switch the second factor off`}>
        {isDisabling ? (
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
            submit={(values) =>
              disabling.submit({ code: values.code.trim(), ...(user.has_password && { password: values.password }) })
            }
          />
        ) : null}
      </Dialog>
    </SettingsSection>
  );
}
