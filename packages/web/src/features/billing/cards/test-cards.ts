import { t } from "@lingui/core/macro";
/** Card numbers of the payment driver for tests, and their effects. */
export const TEST_CARDS: readonly { number: string; effect: string }[] = [
  { number: "4242 4242 4242 4242", effect: t`works` },
  { number: "4000 0025 0000 3155", effect: t`works after the bank has asked once` },
  { number: "4000 0027 6000 3184", effect: t`has the bank ask at every payment` },
  { number: "4000 0000 0000 0002", effect: t`is declined when it is added` },
  { number: "4000 0000 0000 0341", effect: t`is declined when it is charged` },
];

/** Returns the digits of a typed card number; null unless there are 12 to 19. */
export function parseCardDigits(text: string): string | null {
  const digits = text.replaceAll(/[\s-]/g, "");
  return /^\d{12,19}$/.test(digits) ? digits : null;
}
