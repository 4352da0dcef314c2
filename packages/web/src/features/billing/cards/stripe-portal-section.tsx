import { t } from "@lingui/core/macro";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { feather } from "#/lib/feather.ts";
import { navigateToExternalUrl } from "#/lib/navigation/external-navigation.ts";
import { useAction } from "#/lib/use-action.ts";

/** Leads to Stripe's customer portal, where cards and the address can be changed too. It leads back to this page. */
export function StripePortalSection() {
  const opening = useAction(() => feather.paymentMethods.openPortal(), { showsError: true });

  async function open(): Promise<void> {
    const opened = await opening.run(undefined);
    if (opened) navigateToExternalUrl(opened.value.url);
  }

  return (
    <section className="mt-8" aria-labelledby="stripe-portal">
      <h2 className="h3" id="stripe-portal">
        {t`Cards and address at Stripe`}
      </h2>
      <p className="muted mt-2 measure">
        {t`Cards, name, address and e-mail address for invoices can be changed at Stripe too. What you change there is shown here after a moment.`}
      </p>
      <ErrorNotice error={opening.error} />
      <button
        type="button"
        className="btn mt-3"
        onClick={() => void open()}
        disabled={opening.busy}
        aria-busy={opening.busy}
      >
        {opening.busy ? t`Please wait …` : t`Open Stripe`}
      </button>
    </section>
  );
}
