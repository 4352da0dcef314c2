import type { ReactNode } from "react";

/** A small label, such as `test` or `secret`. */
export function Tag({ children }: { children: ReactNode }) {
  return <span className="tag">{children}</span>;
}
