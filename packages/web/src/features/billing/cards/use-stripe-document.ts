import { useEffect } from "react";
import { useStripeKey } from "#/lib/site-config.ts";
import { mustReload, readDocumentUrl } from "./stripe-document.ts";

/** Loads a page with a card form again where cards are entered in Stripe's form and the document may not load its script. */
export function useStripeDocument(): void {
  const stripeKey = useStripeKey();
  useEffect(() => {
    if (stripeKey && mustReload(readDocumentUrl(), location.href)) location.reload();
  }, [stripeKey]);
}
