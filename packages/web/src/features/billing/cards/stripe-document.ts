/** The pages with a card form, to which the server lets Stripe's script in; it has the same list in `security-headers.ts`. */
const CARD_PAGES = /^\/(account\/payment-methods|subscription\/change)\/?$/;

/**
 * Returns whether a document that was loaded from this address may load Stripe's script. The server's policy for it stays
 * when the router shows another page, so one that was loaded elsewhere has to be loaded again.
 */
export function allowsStripe(documentUrl: string): boolean {
  return CARD_PAGES.test(new URL(documentUrl).pathname);
}

/** Returns whether the page, which has a card form, has to be loaded again for Stripe's script. */
export function mustReload(documentUrl: string, pageUrl: string): boolean {
  return allowsStripe(pageUrl) && !allowsStripe(documentUrl);
}

/** Returns the address that the document was loaded from. */
export function readDocumentUrl(): string {
  const [navigation] = performance.getEntriesByType("navigation");
  return navigation?.name ?? location.href;
}
