import { suggestionsOf, warningsOf } from '../base/advice.ts';

/** What an answer to a save of a person says of the mail address (INPUT-14). */
export const emailAdvice = { warnings: warningsOf(['email']), suggestions: suggestionsOf(['email']) };
