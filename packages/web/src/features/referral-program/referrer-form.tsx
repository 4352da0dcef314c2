import { t } from "@lingui/core/macro";
import { z } from "zod";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import { InlineForm } from "#/components/ui/forms/inline-form.tsx";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";

const code = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9-]{1,64}$/, { error: t`Code is not valid.` });

/** A form for the code of the friend who referred the user, for those who did not use a referral link. */
export function ReferrerForm() {
  const attempt = useAction((code: string, options) => feather.referral.setReferrer({ code }, options), {
    showsError: true,
  });
  return (
    <section className="mt-8" aria-labelledby="referrer">
      <h2 className="h4" id="referrer">
        {t`Did a friend send you?`}
      </h2>
      {attempt.done ? (
        <p className="muted mt-2" role="status">
          {t`It is noted. Both of you are rewarded after your first payment.`}
        </p>
      ) : (
        <>
          <p className="muted mt-2">{t`Their code can be entered within 30 days of signing up, before the first payment.`}</p>
          <InlineForm>
            <Form
              schema={z.object({ code })}
              initial={{ code: "" }}
              fields={[{ name: "code", label: t`A friend's code`, autoComplete: "off" }]}
              submitLabel={t`Enter the code`}
              secondary
              block={false}
              submit={(values) => attempt.run(values.code)}
            />
          </InlineForm>
          <ErrorNotice error={attempt.error} />
        </>
      )}
    </section>
  );
}
