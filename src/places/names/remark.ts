/** A name with a remark in parentheses at its end: "Halle (Saale)", "Congo (Kinshasa)". */
export interface NameWithRemark {
  /** The name without the remark. */
  bare: string;
  remark: string;
}

const WITH_REMARK = /^([^()]+)\(([^()]+)\)$/;

/** Splits a name with a remark; returns undefined for any other name. */
export function splitRemark(name: string): NameWithRemark | undefined {
  const [, bare, remark] = WITH_REMARK.exec(name) ?? [];
  return bare === undefined || remark === undefined ? undefined : { bare: bare.trim(), remark };
}
