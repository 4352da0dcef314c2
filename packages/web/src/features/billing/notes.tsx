import { t } from "@lingui/core/macro";
import { Tag } from "#/components/ui/bits.tsx";
import type { Barrier } from "./permission.ts";

/** Says that no money moves. */
export function TestNote({ children }: { children?: string }) {
  return (
    <p className="aside-note small">
      <Tag>{t`test`}</Tag> <span>{children ?? t`Payments on this server are tests. No money moves.`}</span>
    </p>
  );
}

export function BarrierNote({ barrier }: { barrier: Barrier }) {
  if (!barrier) return null;
  return (
    <p className="aside-note" role="note">
      {barrier.words}
    </p>
  );
}
