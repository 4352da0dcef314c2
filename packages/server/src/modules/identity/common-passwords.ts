/** The most common leaked passwords of at least ten characters. Shorter ones are refused for their length. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `1234567890 0123456789 0987654321 9876543210 12345678910 123456789a 1234567891 1q2w3e4r5t 1q2w3e4r5t6y qwertyuiop
  qwertyuiop1 qwerty12345 qwerty123456 asdfghjkl1 asdfghjkl; zxcvbnm123 password12 password123 password1234 password12345
  password123456 passw0rd123 p@ssw0rd123 p@ssword123 adminadmin administrator admin12345 admin123456 letmein123 letmein1234
  welcome123 welcome1234 iloveyou12 iloveyou123 iloveyou1234 sunshine12 sunshine123 princess12 princess123 football12
  football123 baseball12 baseball123 superman12 superman123 michael123 changeme12 changeme123 changeme1234 secret12345
  abcdefghij abcdefghijk abc123456789 abcd123456 a123456789 a1234567890 aa12345678 aa123456789 qazwsxedcr 1qaz2wsx3edc
  1qazxsw23edc trustno1trustno1 computer12 computer123 internet12 internet123 starwars12 starwars123 dragon12345 monkey12345
  liverpool1 liverpool123 manchester manchester1 basketball basketball1 california california1 motorola123 test123456
  testtest12 testtest123 test1234567 guest12345 default123 feather123 feather1234 1111111111 0000000000 1212121212
  123123123123 123321123321 147258369a 1472583690 159753159753 qwe123qwe123 zaq12wsxcde3 q1w2e3r4t5 q1w2e3r4t5y6`.split(
    /\s+/,
  ),
);
