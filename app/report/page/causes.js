// SPDX-License-Identifier: Apache-2.0
// Causes of stalls: each has the same colour in all charts of a page.
"use strict";

{
  // Those of the page's causes for which occurs(index) holds, as {index, key, text, colour}; what was issued is the faint one.
  tcsim.colouredCauses = (causes, occurs) => {
    const occurring = causes.map(({key, text}, index) => ({index, key, text})).filter(({index}) => occurs(index));
    let place = 0;
    return occurring.map((cause) => ({...cause, colour: cause.key === "issued" ? tcsim.theme().faint : tcsim.categoryColour(place++)}));
  };
}
