import { t } from "@lingui/core/macro";
import { useState } from "react";
import { z } from "zod";
import { State } from "#/components/ui/bits.tsx";
import { CopyBlock } from "#/components/ui/code.tsx";
import { Dialog } from "#/components/ui/dialog.tsx";
import { FaultNotice } from "#/components/ui/fault-notice.tsx";
import { Form } from "#/components/ui/form.tsx";
import { SettingsSection } from "#/components/ui/settings-section.tsx";
import { feather } from "#/lib/feather.ts";
import { code } from "./rules.ts";

type Props = { enabled: boolean; changed(): Promise<void> };

/** Switches the second factor on and off. */
export function SecondFactor({ enabled, changed }: Props) {
  const [setup, setSetup] = useState<{ secret: string; uri: string } | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [ending, setEnding] = useState(false);
  const [fault, setFault] = useState<unknown>(null);

  async function begin(): Promise<void> {
    setFault(null);
    try {
      setSetup(await feather.auth.totp.begin());
    } catch (error) {
      setFault(error);
    }
  }

  return (
    <SettingsSection
      title={t`Second factor`}
      about={
        enabled
          ? t`Logging in asks for a code of your authenticator app, or one of your recovery codes.`
          : t`An authenticator app makes a leaked password worthless.`
      }
    >
      <div className="row wraps between">
        <State tier={enabled ? "good" : "cold"}>{enabled ? t`on` : t`off`}</State>
        {enabled ? (
          <button type="button" className="btn" onClick={() => setEnding(true)}>
            {t`Switch off`}
          </button>
        ) : (
          <button type="button" className="btn" onClick={() => void begin()}>
            {t`Set up`}
          </button>
        )}
      </div>
      <FaultNotice error={fault} />
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
                await changed();
              }}
            />
          </>
        ) : null}
      </Dialog>
      <Dialog
        open={codes !== null}
        onClose={() => setCodes(null)}
        title={t`Keep these recovery codes`}
        description={t`Each logs you in once when the app is lost. They are not shown again.`}
      >
        <CopyBlock text={codes?.join("\n") ?? ""} />
        <div className="actions">
          <button type="button" className="btn primary" onClick={() => setCodes(null)}>
            {t`I have kept them`}
          </button>
        </div>
      </Dialog>
      <Dialog open={ending} onClose={() => setEnding(false)} title={t`Switch the second factor off`}>
        {ending ? (
          <Form
            schema={z.object({ code })}
            initial={{ code: "" }}
            fields={[
              {
                name: "code",
                label: t`Code`,
                autoComplete: "one-time-code",
                autoFocus: true,
                hint: t`Of the app, or a recovery code.`,
              },
            ]}
            submitLabel={t`Switch off`}
            submit={async (values) => {
              await feather.auth.totp.disable({ code: values.code.trim() });
              setEnding(false);
              await changed();
            }}
          />
        ) : null}
      </Dialog>
    </SettingsSection>
  );
}
