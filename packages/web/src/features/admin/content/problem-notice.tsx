import type { ContentProblem } from "@feather/sdk";
import { t } from "@lingui/core/macro";

/** Names the files of the data folder that are not shown, and why. */
export function ProblemNotice({ problems }: { problems: readonly ContentProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <section className="notice mt-5" aria-label={t`Files that are not shown`}>
      <p className="strong">{t`Files that are not shown`}</p>
      <ul>
        {problems.map(({ file, problem }) => (
          <li key={file} className="user-text">
            <code>{file}</code>: {problem}
          </li>
        ))}
      </ul>
    </section>
  );
}
