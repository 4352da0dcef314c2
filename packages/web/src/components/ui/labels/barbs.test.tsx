import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { Barbs } from "./barbs.tsx";

afterEach(cleanup);

test.each([
  [0, 24, 0, 8],
  [1, 24, 1, 8],
  [12, 24, 4, 8],
  [24, 24, 8, 8],
  [3, 4, 3, 4],
])("%i of %i units fill %i of %i barbs", (active, total, filled, drawn) => {
  const { container } = render(<Barbs active={active} total={total} label="" />);
  expect(container.querySelectorAll("i")).toHaveLength(drawn);
  expect(container.querySelectorAll("i.on")).toHaveLength(filled);
});
