import type { Backend } from "@feather/sdk";
import { t } from "@lingui/core/macro";

/** Says that organizations use keys of their own at a backend; nothing where they do not. */
export function OwnKeysNote({ mode }: { mode: Backend["own_keys"] }) {
  if (mode === "off") return null;
  return (
    <div className="small muted">
      {mode === "required" ? t`Only with keys of organizations` : t`Uses keys of organizations`}
    </div>
  );
}
