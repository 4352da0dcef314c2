import { memo } from "react";
import { AnswerView } from "./answer-view.tsx";
import type { Remedies } from "./fault-notice.tsx";
import type { LiveAnswers } from "./live-answers.ts";
import { QuestionView } from "./question-view.tsx";
import type { Turn } from "./tree.ts";
import type { Attachment, Question, ToolResult } from "./types.ts";

/** What the user can do with questions and answers. */
export type TurnActions = {
  live: LiveAnswers;
  remedies: Remedies;
  choose(id: string): void;
  edit(question: Question, text: string, attachments: readonly Attachment[]): void;
  give(results: ToolResult[]): void;
  setEditing(id: string | null): void;
};

type Props = { turn: Turn; last: boolean; editing: boolean; actions: TurnActions };

/** A question and its answers, side by side if several models were asked. */
export const TurnView = memo(function TurnView({ turn, last, editing, actions }: Props) {
  const { question, siblings, lanes } = turn;
  const { live, remedies, choose, edit, give, setEditing } = actions;
  return (
    <div className="turn">
      <div className="column">
        <QuestionView
          question={question}
          siblings={siblings}
          editing={editing}
          setEditing={setEditing}
          choose={choose}
          ask={edit}
        />
      </div>
      <div className={lanes.length > 1 ? "lanes" : "column"} data-lanes={lanes.length}>
        {lanes.map(({ lane, answer, versions }) =>
          answer ? (
            <AnswerView
              key={lane}
              answer={answer}
              versions={versions}
              live={live}
              last={last}
              remedies={remedies}
              choose={choose}
              {...(lanes.length === 1 && { give })}
            />
          ) : null,
        )}
      </div>
    </div>
  );
});
