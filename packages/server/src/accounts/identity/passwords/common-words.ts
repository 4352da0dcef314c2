/**
 * Words, names and keyboard rows of which common passwords consist. Digits and signs around them, letters that are replaced
 * by look-alikes, and repetitions are ignored: see `isGuessablePassword`.
 */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `password passwort passw passwd pass pwd motdepasse contrasena senha parola haslo wachtwoord salasana secret secrets geheim
  admin administrator root toor user users guest test tester testing demo default login logon master manager system server
  welcome willkommen bienvenue hello hallo hola letmein letmeinnow openup opensesame changeme changemenow changeit changethis
  temp temporary newpassword mypassword thepassword yourpassword userpassword adminpassword rootpassword testpassword
  iloveyou loveyou ilove iloveu lovely love lover loveme trustno trustnoone whatever nothing something anything everything
  nobody somebody anybody access account computer internet network windows apple android google facebook twitter instagram
  youtube microsoft linux ubuntu debian oracle database mysql postgres postgresql mongodb redis docker kubernetes jenkins
  github gitlab amazon samsung iphone nokia motorola sony playstation nintendo pokemon minecraft fortnite starcraft warcraft
  monkey dragon tiger lion eagle falcon panther jaguar cheetah dolphin shark wolf bear horse puppy kitten kitty doggy bailey
  buddy cookie ginger pepper shadow sunshine sunflower flower flowers butterfly rainbow diamond silver golden gold purple
  orange yellow black white green blue red summer winter autumn spring january february march april june july august
  september october november december monday tuesday wednesday thursday friday saturday sunday sommer herbst fruehling
  football baseball basketball hockey soccer tennis golf cricket rugby swimming fitness yankees cowboys steelers lakers
  eagles raiders packers broncos redsox patriots chelsea arsenal liverpool manchester manunited manutd barcelona realmadrid
  juventus bayern dortmund schalke celtic rangers everton tottenham ferrari porsche mercedes corvette mustang harley yamaha
  honda toyota bmw audi camaro chevy ford superman batman spiderman ironman wolverine hulk avengers starwars startrek
  skywalker yoda jedi matrix gandalf hobbit mordor harrypotter hogwarts dumbledore voldemort pikachu naruto dragonball
  princess princesa angel angels angela baby babygirl babyboy sweet sweety sweetie honey sugar candy chocolate banana cheese
  cookie coffee pizza hunter killer ninja samurai pirate cowboy rocky rocket phantom ghost zombie vampire demon devil satan
  jesus christ jesuschrist god heaven church blessed blessing faith hope grace trinity matthew michael michelle michele
  jessica jennifer jordan joshua daniel danielle andrew andrea anthony ashley amanda alexander alexandra alex alexis robert
  thomas charlie charles william richard george maggie nicole nicholas justin jasmine hannah hanna samantha sandra sarah
  stephanie steven patrick peter maria martin marina maximilian lukas leon anna laura julia sophie sofia lisa jonas felix
  carlos antonio alejandro fernando francisco roberto ricardo natasha svetlana vladimir sergey andrey alexey dmitry
  california newyork london paris berlin madrid moscow texas florida chicago boston america american canada mexico brasil
  germany deutschland france england scotland ireland australia russia china india pakistan turkey istanbul
  freedom liberty victory winner success money dollar business company office work office internet school student teacher
  college university family friends friend forever together mother father mommy daddy brother sister grandma
  metallica nirvana slipknot blink eminem beatles elvis guitar music rock rocknroll hiphop party
  asdf asdfg asdfgh asdfghj asdfghjk asdfghjkl asdfasdf asdfqwer qwer qwert qwerty qwertyu qwertyui qwertyuio qwertyuiop
  qwertz qwertzu qwertzui qwertzuio qwertzuiop azerty azertyuiop zxcv zxcvb zxcvbn zxcvbnm yxcvbnm poiuytrewq lkjhgfdsa mnbvcxz
  qaz qazwsx qazwsxedc qazwsxedcr qazxsw qazxswedc qazwsxedcrfv wsxedc zaqwsx zaqwsxcde zaqxsw qweasd qweasdzxc qwerasdf qweqwe asdzxc
  abc abcd abcde abcdef abcdefg abcdefgh abcdefghi abcdefghij abcdefghijk abcdefghijkl abcabc aaa zzz xyz xxx
  feather feathers plume bird birds llama model models openai chatgpt anthropic mistral deepseek huggingface ollama
  supersecret topsecret verysecret mysecret superuser superadmin sysadmin webmaster postmaster hostmaster support helpdesk
  helloworld goodbye goodluck iamgod imthebest thebest number numberone blahblah blabla lalala hahaha jajaja
  computer1 killer1 fuckyou fuckme fuckoff asshole bitch bullshit sexy sexsex pussy
  trustme ihateyou imissyou missyou kissme loveyouforever myspace linkedin dropbox adobe photoshop snoopy scooby garfield
  mickey mickeymouse minnie donald donaldduck simpsons homer bart bugsbunny tweety winnie pooh hellokitty barbie
  lovelove sunshineday goodmorning goodnight happy happyday birthday happybirthday christmas merrychristmas easter halloween
  newyear power powerful energy thunder lightning storm hurricane tornado fire water earth wind ocean island mountain river
  phoenix griffin unicorn pegasus mercury venus mars jupiter saturn uranus neptune pluto galaxy universe cosmos star stars`
    .split(/\s+/)
    .filter(Boolean),
);
