import type { MailTemplateText } from "@feather/sdk";
import { diffLines } from "diff";
import styles from "./text-diff.module.css";

type Props = { before: MailTemplateText; after: MailTemplateText };
type Line = { key: string; kind: "same" | "removed" | "added"; text: string };

/** The lines of two texts of a mail, with what was removed and added. */
export function TextDiff({ before, after }: Props) {
  return (
    <pre className={styles.diff}>
      {listLines(before, after).map(({ key, kind, text }) =>
        kind === "same" ? (
          <span key={key}>{`  ${text}\n`}</span>
        ) : kind === "removed" ? (
          <del key={key}>{`- ${text}\n`}</del>
        ) : (
          <ins key={key}>{`+ ${text}\n`}</ins>
        ),
      )}
    </pre>
  );
}

const toText = ({ subject, text }: MailTemplateText): string => `${subject === "" ? "" : `${subject}\n\n`}${text}\n`;

function listLines(before: MailTemplateText, after: MailTemplateText): Line[] {
  return diffLines(toText(before), toText(after)).flatMap(({ value, added, removed }, part) =>
    value
      .replace(/\n$/, "")
      .split("\n")
      .map(
        (text, line): Line => ({ key: `${part}:${line}`, kind: added ? "added" : removed ? "removed" : "same", text }),
      ),
  );
}
