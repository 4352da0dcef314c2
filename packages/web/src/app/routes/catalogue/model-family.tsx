import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router-dom";
import { ErrorView } from "#/components/layouts/error-view.tsx";
import { CodeBlock } from "#/components/ui/code/code-block.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { familiesQuery } from "#/entities/models/family-queries.ts";
import { usePageHead } from "#/features/content/use-page-head.ts";
import { FamilyGenerations } from "#/features/families/family-generations.tsx";
import { ModelList } from "#/features/families/model-list.tsx";
import { useOrigin } from "#/lib/browser/use-origin.ts";
import { formatIsoDay } from "#/lib/format.ts";
import styles from "./model-family.module.css";

/** A model family, or one of its generations (sub types). */
export default function ModelFamilyPage() {
  const origin = useOrigin();
  const { family: id = "", subTypeId } = useParams();
  const { data, isError, refetch } = useQuery(familiesQuery);
  const family = data?.find((candidate) => candidate.id.toLowerCase() === id.toLowerCase());
  const subType = family?.sub_types.find((candidate) => candidate.id.toLowerCase() === subTypeId?.toLowerCase());
  const subject = subTypeId === undefined ? family : subType;
  usePageHead(subject ? t`${subject.name} models` : undefined, subject?.description);
  if (isError)
    return (
      <div className="page-width section first">
        <h1 className="h2">{t`Model family`}</h1>
        <div className="notice mt-4" role="alert">
          <p>{t`The families cannot be read just now.`}</p>
          <button type="button" className="btn mt-3" onClick={() => void refetch()}>
            {t`Try again`}
          </button>
        </div>
      </div>
    );
  if (data && !subject) return <ErrorView error={{ statusCode: 404 }} />;
  return (
    <div className={`page-width ${styles.page}`}>
      <p className="small faint mb-2">
        <Link to="/models">{t`Models`}</Link>
        {family && subType ? (
          <>
            {" / "}
            <Link to={`/model-families/${family.id}`}>{family.name}</Link>
          </>
        ) : null}
      </p>
      <h1 className="h1">{subject?.name ?? <Skeleton width={260} height={44} />}</h1>
      <p className={`lede mt-3 ${styles.familyLede}`}>{subject?.description ?? <Skeleton width="70%" height={24} />}</p>
      <p className="small muted mt-3 num">
        {family && subject ? (
          <>
            {family.owner} · <Plural value={subject.model_count} one="# model" other="# models" />
            {subType?.released_date ? (
              <>
                {" · "}
                <Trans>
                  released{" "}
                  <Link className="link" to={`/model-releases/${formatIsoDay(subType.released_date)}`}>
                    {formatIsoDay(subType.released_date)}
                  </Link>
                </Trans>
              </>
            ) : null}
          </>
        ) : (
          <Skeleton width={180} />
        )}
      </p>
      {subTypeId === undefined ? (
        <section className="mt-8">
          <h2 className="h3 mb-4">{t`Generations`}</h2>
          <FamilyGenerations family={family?.id ?? id} />
        </section>
      ) : null}
      <section className="mt-8">
        <h2 className="h3">{t`Models`}</h2>
        <ModelList
          label={`${subject?.name ?? ""} models`.trim()}
          scope={{ family: family?.id ?? id, ...(subTypeId !== undefined && { sub_type: subType?.id ?? subTypeId }) }}
        />
      </section>
      {subTypeId !== undefined && family ? (
        <section className="mt-8">
          <h2 className="h3 mb-4">
            <Trans>Other generations of {family.name}</Trans>
          </h2>
          <FamilyGenerations family={family.id} current={subTypeId} />
        </section>
      ) : null}
      {family ? (
        <section className="mt-8">
          <h2 className="h4 mb-4">{t`The same in the terminal`}</h2>
          <CodeBlock
            samples={[
              { name: "CLI", lang: "bash", code: `feather models list --family ${family.id}` },
              {
                name: "curl",
                lang: "bash",
                code: `curl "${origin}/api/feather/models?family=${family.id}${subType ? `&sub_type=${subType.id}` : ""}"`,
              },
            ]}
          />
        </section>
      ) : null}
    </div>
  );
}
