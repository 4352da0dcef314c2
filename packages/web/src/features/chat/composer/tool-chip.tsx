import { t } from "@lingui/core/macro";
import { Suspense, useState } from "react";
import { lazyComponent } from "#/lib/lazy-component.ts";

const LoadedToolPicker = lazyComponent(async () => (await import("./tool-picker.tsx")).ToolPicker);

type Props = {
  /** Names of the chosen tools. */
  chosen: readonly string[];
  /** Whether several models are asked, which are offered no tools. */
  isComparing: boolean;
  setChosen(names: readonly string[]): void;
};

/** Says how many tools the conversation uses, and opens the choice of them, which is loaded then. */
export function ToolChip({ chosen, isComparing, setChosen }: Props) {
  const [isOpen, setOpen] = useState(false);
  const count = chosen.length;
  return (
    <>
      <button
        type="button"
        className="chip"
        disabled={isComparing}
        title={isComparing ? t`Tools are used with one model only.` : undefined}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {count === 0 ? t`Tools` : t`Tools: ${count}`}
      </button>
      <Suspense fallback={null}>
        {isOpen ? <LoadedToolPicker chosen={chosen} setChosen={setChosen} onClose={() => setOpen(false)} /> : null}
      </Suspense>
    </>
  );
}
