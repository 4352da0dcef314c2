import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { Barbs, Skeleton } from "#/components/ui/bits.tsx";
import { statsQuery } from "#/features/catalogue/queries.ts";
import { NextLinks, PageHero, PageSection, Questions } from "#/features/landing/parts.tsx";
import { count } from "#/lib/format.ts";
import { productName } from "#/lib/product.ts";

export default function AboutPage() {
  const { data } = useQuery(statsQuery);
  const figures = [
    [data?.model_count, "models in this catalogue"],
    [data?.family_count, "families"],
    [data?.warm_count, "warm at this moment"],
  ] as const;
  const name = productName();
  return (
    <>
      <PageHero
        kicker="About"
        title="Open models are for everybody to run"
        lede={`${name} is a platform for browsing, hosting and calling open language models. It runs on one machine with nothing else installed, or in front of as many as you have.`}
      />
      <div style={{ borderBlock: "1px solid var(--line)" }}>
        <div className="wrap kpis" style={{ borderBlock: 0 }}>
          {figures.map(([value, label]) => (
            <div key={label}>
              <p className="v">{value === undefined ? <Skeleton width={72} height={28} /> : count(value)}</p>
              <p className="small dim">{label}</p>
            </div>
          ))}
        </div>
      </div>
      <PageSection title="What we hold to">
        <Questions
          items={[
            {
              question: "One contract",
              answer:
                "One document describes every call. The server, the SDK, the terminal program, this site and its reference come from it, so they agree.",
            },
            {
              question: "Concurrency, not tokens",
              answer: (
                <>
                  A plan is a number of units <Barbs on={4} of={4} label="four units" />, and a request holds some while
                  it runs. You see them here as the barbs of a feather.
                </>
              ),
            },
            {
              question: "Figures you can check",
              answer:
                "Every request has a receipt. Credits are kept in a ledger with double entries, and a command adds it all up again.",
            },
            {
              question: "Your prompts stay yours",
              answer:
                "Prompts and answers pass through and are not stored. Conversations on the chat page rest in your own browser.",
            },
            {
              question: "Nothing invented",
              answer: "What is a test says that it is one. What is unknown is called unknown, and is not a zero.",
            },
            {
              question: "Free software",
              answer: "All of it is under the Apache License 2.0. There is no edition that has more.",
            },
          ]}
        />
      </PageSection>
      <PageSection title="Read on">
        <NextLinks
          links={[
            {
              to: "/blog/why-concurrency-units",
              label: "Why concurrency units",
              text: "What is scarce, and what a plan should measure.",
            },
            { to: "/blog/one-contract", label: "One contract for everything", text: "What it cost, and what it gave." },
            {
              to: "/blog/credits-that-do-not-drift",
              label: "How credits never drift",
              text: "A ledger, reservations, and how to check them.",
            },
          ]}
        />
        <p className="mid mt-6">
          Run one yourself:{" "}
          <Link className="link" to="/docs/self-hosting">
            Self-hosting
          </Link>
          .
        </p>
      </PageSection>
    </>
  );
}
