import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import styles from "./branches.module.css";

type Props = { versions: readonly string[]; currentId: string; entryName: string; selectBranch(id: string): void };

/** Switches between versions of a question or an answer: ‹ 2/3 ›. Renders nothing for a single version. */
export function BranchSwitcher({ versions, currentId, entryName, selectBranch }: Props) {
  if (versions.length < 2) return null;
  const index = versions.indexOf(currentId);
  const renderStep = (to: number, label: string, sign: string) => {
    const id = versions[to];
    return (
      <button
        type="button"
        className="plain"
        aria-label={label}
        disabled={id === undefined}
        onClick={() => id && selectBranch(id)}
      >
        {sign}
      </button>
    );
  };
  return (
    <fieldset className={styles.branches}>
      <legend className="visually-hidden">
        <Trans>Versions of the {entryName}</Trans>
      </legend>
      {renderStep(index - 1, t`Previous ${entryName}`, "‹")}
      <span className="num">
        {index + 1}/{versions.length}
      </span>
      {renderStep(index + 1, t`Next ${entryName}`, "›")}
    </fieldset>
  );
}
