import type { Stripe, StripeElements } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import { type RefObject, useEffect, useState } from "react";
import { mustReload, readDocumentUrl } from "./stripe-document.ts";

/** The form of Stripe in the page: loading, ready, or not to be loaded. */
export type PaymentElementState =
  | { kind: "loading" }
  | { kind: "ready"; stripe: Stripe; elements: StripeElements }
  | { kind: "failed" };

/** Shows Stripe's form for the card of a setup intent in an element of the page. */
export function usePaymentElement(
  host: RefObject<HTMLElement | null>,
  publishableKey: string,
  clientSecret: string,
): PaymentElementState {
  const [state, setState] = useState<PaymentElementState>({ kind: "loading" });
  useEffect(() => {
    if (mustReload(readDocumentUrl(), location.href)) return; // the page is being loaded again
    let isShown = true;
    let remove = () => {};
    loadStripe(publishableKey)
      .then((stripe) => {
        const element = host.current;
        if (!isShown || element === null) return;
        if (stripe === null) return setState({ kind: "failed" });
        const elements = stripe.elements({ clientSecret });
        const form = elements.create("payment");
        form.on("loaderror", () => setState({ kind: "failed" }));
        form.mount(element);
        remove = () => form.destroy();
        setState({ kind: "ready", stripe, elements });
      })
      .catch(() => {
        if (isShown) setState({ kind: "failed" });
      });
    return () => {
      isShown = false;
      remove();
    };
  }, [host, publishableKey, clientSecret]);
  return state;
}
