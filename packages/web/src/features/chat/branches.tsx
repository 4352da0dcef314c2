import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

type Props = { of: readonly string[]; shown: string; what: string; choose(id: string): void };

/** Switches between versions of a question or an answer: ‹ 2/3 ›. Renders nothing for a single version. */
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
