/** A number with its thing, as it is said: 0 notes, 1 note, 1,000 notes. */
export const counted = (number: number, one: string, more = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : more}`;
