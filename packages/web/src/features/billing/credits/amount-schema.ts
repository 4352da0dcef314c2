import { t } from "@lingui/core/macro";
import { z } from "zod";
import { formatCents, parseCents } from "#/entities/money/money.ts";

/** The least that one top-up buys, in cents. */
export const MIN_TOP_UP_CENTS = 500;
/** The most that one top-up buys, in cents. */
export const MAX_TOP_UP_CENTS = 1_000_000;

/** A typed amount of dollars between two amounts in cents. */
export function createAmountSchema(label: string, minCents: number, maxCents: number) {
  return z.string().refine(
    (text) => {
      const cents = parseCents(text);
      return cents !== null && cents >= minCents && cents <= maxCents;
    },
    { error: t`${label} is not valid: from ${formatCents(minCents)} to ${formatCents(maxCents)}.` },
  );
}
