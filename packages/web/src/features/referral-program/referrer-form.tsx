import { t } from "@lingui/core/macro";
import { useState } from "react";
import { z } from "zod";
import { ErrorNotice } from "#/components/ui/error-notice.tsx";
import { Form } from "#/components/ui/form.tsx";
import { feather } from "#/lib/feather.ts";
import { useIdempotentAction } from "#/lib/use-idempotent-action.ts";

const code = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9-]{1,64}$/, { error: t`Code is not valid.` });

/** A form for the code of the friend who referred the user, for those who did not use a referral link. */
export function ReferrerForm() {
  const [isSet, setIsSet] = useState(false);
  const attempt = useIdempotentAction(async (referralCode: string, options) => {
    await feather.referral.setReferrer({ code: referralCode }, options);
    return true;
  });
  return (
    <section className="mt-8" aria-labelledby="referrer">
      <h2 className="h4" id="referrer">
        {t`Did a friend send you?`}
      </h2>
      {isSet ? (
        <p className="mid mt-2" role="status">
          {t`It is noted. Both of you are rewarded after your first payment.`}
        </p>
      ) : (
        <>
          <p className="mid mt-2">{t`Their code can be entered within 30 days of signing up, before the first payment.`}</p>
          <div className="one-line mt-3">
            <Form
              schema={z.object({ code })}
              initial={{ code: "" }}
              fields={[{ name: "code", label: t`A friend's code`, autoComplete: "off" }]}
              submitLabel={t`Enter the code`}
              secondary
              block={false}
              submit={async (values) => {
                const result = await attempt.run(values.code);
                if (result) setIsSet(true);
              }}
            />
          </div>
          <ErrorNotice error={attempt.error} />
        </>
      )}
    </section>
  );
}
