import { expect, test } from "vitest";
import { estimateWeightSizes } from "./weight-sizes.ts";

test.each([
  [1e6, ["2.0 MB", "1.0 MB", "500 kB"]],
  [8_190_735_360, ["16.4 GB", "8.2 GB", "4.1 GB"]],
  [70e9, ["140 GB", "70.0 GB", "35.0 GB"]],
  [1.1e12, ["2.2 TB", "1.1 TB", "550 GB"]],
])("the weights of %d parameters take %j", (parameters, sizes) => {
  expect(estimateWeightSizes(parameters).map(({ size }) => size)).toEqual(sizes);
});
