import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

type Props = { of: readonly string[]; shown: string; what: string; choose(id: string): void };

/** Walks between what was asked otherwise, or answered again: ‹ 2/3 ›. */
export function Branches({ of, shown, what, choose }: Props) {
  if (of.length < 2) return null;
  const at = of.indexOf(shown);
  const step = (to: number, label: string, sign: string) => {
    const id = of[to];
    return (
      <button
        type="button"
        className="plain"
        aria-label={label}
        disabled={id === undefined}
        onClick={() => id && choose(id)}
      >
        {sign}
      </button>
    );
  };
  return (
    <fieldset className="branches">
      <legend className="visually-hidden">
        <Trans>Versions of the {what}</Trans>
      </legend>
      {step(at - 1, t`Previous ${what}`, "‹")}
      <span className="num">
        {at + 1}/{of.length}
      </span>
      {step(at + 1, t`Next ${what}`, "›")}
    </fieldset>
  );
}
