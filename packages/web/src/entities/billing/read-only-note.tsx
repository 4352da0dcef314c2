import { AsideNote } from "#/components/ui/feedback/aside-note.tsx";
import type { ReadOnlyReason } from "./use-billing-permission.ts";

/** Says why the user may not change anything here. Renders nothing where they may. */
export function ReadOnlyNote({ readOnlyReason }: { readOnlyReason: ReadOnlyReason }) {
  if (!readOnlyReason) return null;
  return <AsideNote role="note">{readOnlyReason.message}</AsideNote>;
}
