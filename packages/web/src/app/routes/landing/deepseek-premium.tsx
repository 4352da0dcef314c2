import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { modelsQuery } from "#/entities/models/queries.ts";
import { formatPriceAndPeriod } from "#/entities/plans/plan-labels.ts";
import { listPlansFor } from "#/entities/plans/plans-for.ts";
import { plansQuery } from "#/entities/plans/queries.ts";
import { useCurrency } from "#/entities/plans/use-currency.ts";
import { ModelsSection } from "#/features/landing/models-section.tsx";
import { PageHero } from "#/features/landing/page-hero.tsx";
import { PageSection } from "#/features/landing/page-section.tsx";
import { Questions } from "#/features/landing/questions.tsx";
import { describeContext, formatContextLength, formatParameterCount } from "#/lib/format.ts";

/** Landing page for the largest DeepSeek models and the plans that allow them. */
export default function DeepseekPremiumPage() {
  const { data: models } = useQuery(modelsQuery({ family: "deepseek", sort: "-parameter_size", perPage: 8 }));
  const { data: plans } = useQuery(plansQuery);
  const currency = useCurrency();
  const largest = models?.items[0];
  const fitting = largest && plans ? listPlansFor(plans.items, largest) : undefined;
  return (
    <>
      <PageHero
        kicker={t`DeepSeek Premium`}
        title={t`The full models, at a flat price`}
        lede={t`The full DeepSeek models have hundreds of billions of parameters. A request to one holds four units while it runs; its tokens are not counted.`}
      >
        <Link className="btn primary large" to={paths.pricing}>
          {t`Choose a plan`}
        </Link>
        <Link className="btn large" to="/deepseek">
          {t`All DeepSeek models`}
        </Link>
      </PageHero>
      <PageSection
        title={t`Plans that can`}
        intro={
          largest ? (
            <Trans>
              Measured by the largest, <ModelId id={largest.id} />: {formatParameterCount(largest.parameter_size)}{" "}
              parameters, {describeContext(largest.context_length)}, {largest.concurrency_cost} units.
            </Trans>
          ) : undefined
        }
      >
        <table>
          <thead>
            <tr>
              <th scope="col">{t`Plan`}</th>
              <th scope="col">{t`Units`}</th>
              <th scope="col" className="numeric">
                {t`Side by side`}
              </th>
              <th scope="col" className="numeric wide-only">
                {t`Longest context`}
              </th>
              <th scope="col">{t`Price`}</th>
            </tr>
          </thead>
          <tbody>
            {fitting
              ? fitting.map(({ plan, atOnce }) => (
                  <tr key={plan.id}>
                    <td>
                      <strong>{plan.name}</strong>
                      <div className="small faint">{plan.description}</div>
                    </td>
                    <td>
                      {plan.concurrency === null ? (
                        t`no limit`
                      ) : (
                        <span className="row tight">
                          <Barbs active={plan.concurrency} total={plan.concurrency} label="" /> {plan.concurrency}
                        </span>
                      )}
                    </td>
                    <td className="numeric">{atOnce ?? t`no limit`}</td>
                    <td className="numeric wide-only">
                      {plan.max_context_length === null
                        ? t`the model’s own`
                        : formatContextLength(plan.max_context_length)}
                    </td>
                    <td>{formatPriceAndPeriod(plan, currency)}</td>
                  </tr>
                ))
              : [0, 1, 2].map((row) => (
                  <tr key={row}>
                    <td colSpan={5} height={62}>
                      <Skeleton width={`${60 - row * 8}%`} />
                    </td>
                  </tr>
                ))}
          </tbody>
        </table>
        {fitting?.length === 0 ? (
          <p className="muted mt-4">{t`No plan of this server allows a model of that size.`}</p>
        ) : null}
      </PageSection>
      <ModelsSection
        title={t`The largest`}
        filters={{ family: "deepseek", sort: "-parameter_size", perPage: 8 }}
        all="/models?family=deepseek&sort=-parameter_size"
        empty={t`The catalogue of this server holds no DeepSeek model.`}
      />
      <PageSection title={t`Questions`}>
        <Questions
          items={[
            {
              question: t`Does a longer answer cost more?`,
              answer: t`Not on a flat plan. It holds its four units longer, that is all. Metered plans count tokens.`,
            },
            {
              question: t`May I use smaller models too?`,
              answer: t`All of them. Four units carry one full model, or four small ones side by side.`,
            },
            {
              question: t`Can I have one to myself?`,
              answer: (
                <>
                  <Trans>
                    Plans with a private cloud can run a model on machines of its own, with its own address.{" "}
                    <Link className="link" to="/docs/deployments">
                      Private deployments
                    </Link>
                  </Trans>
                </>
              ),
            },
          ]}
        />
      </PageSection>
    </>
  );
}
