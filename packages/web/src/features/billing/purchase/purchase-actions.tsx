import type { ReactNode } from "react";

/** The links below the outcome of a purchase. */
export function PurchaseActions({ children }: { children: ReactNode }) {
  return <div className="row wrapping mt-6">{children}</div>;
}
