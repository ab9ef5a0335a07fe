/// How MediaWiki writes dates and digits, by language.
///
/// The API does not tell the format; this is what the language files of MediaWiki 1.39 have for `both` in the default
/// format. A wiki may have other formats in its configuration: compare with a sample.
enum DateFormatTable {
    /// Date formats and the languages that have them, separated by blanks.
    static let formats: [(format: String, languages: String)] = [
        (
            #"H:i, j F Y"#,
            """
            ady ady-cyrl aeb aeb-latn af ak am ang anp arc as ase awa az ban-bali bbc bcl bg bh bho bi bn bo bpy \
            brh bs bto ceb ch chr chy cps cr cy dag din diq dtp dty dv dz ee en en-ca en-gb eu fat ff fj ga gaa \
            gd gom gom-deva gom-latn got gpe gu gur guw gv ha haw hi hif hif-latn hil ia ie ig ik ike-cans \
            ike-latn ilo iu jam jbo ka kbd kbd-cyrl kcg kg ki kn kr kri krj ks ks-arab ks-deva ku ku-latn kw ky \
            lfn lg lo loz lt lus mai mi mk ml mn mni mos mr mrh ms ms-arab mt na ne new niu nmz nod nov nqo nso \
            nv ny nyn nys ojb om or pa pag pam pap pcm pi pih pnb prg ps rif rm rmc rn ruq-cyrl rw ryu sa sat \
            sco sd sei sgs sh shn shy si sje skr sm sma sn so ss st sw syl ta tcy tdd te tg-latn ti tk tl tly tn \
            to tpi tru ts tum tw tzm ug ug-arab ug-latn ve war xh xmf xsy yo yrl zgh zu
            """
        ),
        (
            #"H:i, j xg Y"#,
            """
            ab alt av ba be be-tarask bxr cv el gld grc he hy hyw inh koi krc kum kv la lbe lez mdf mhr mrj myv \
            os pnt ru rue sah sjd sty tg tg-cyrl tyv udm uk xal yi
            """
        ),
        (
            #"j F Y à H:i"#,
            """
            atj avk bci bm fon fr frc gcr ht kab kbp ln mg nrm pcd ses sg shi shy-latn ty wa wls wo
            """
        ),
        (
            #"Y年n月j日 (D) H:i"#,
            """
            ami gan gan-hans gan-hant hak hsn ii ja pwn szy tay trv za zh zh-cn zh-hans zh-hant zh-hk zh-mo \
            zh-my zh-sg zh-tw
            """
        ),
        (#"H:i, j M Y"#, "ca co csb egl eml it lij lld lmo nap nds-nl pl pms rgn roa-tara sc scn sdc sro szl vec"),
        (#"H:i, j. M Y"#, "bar de de-at de-ch de-formal frr gsw hrx ksh lb nds pdc pdt pfl sli stq vmf"),
        (#"j F Y H.i"#, "abs ace ban bbc-latn bjn btm bug gor id jv mad map-bms min nia su"),
        (#"H:i j M Y"#, "an arn ast ay cbk-zam es es-formal ext gn guc lad nah qu qug"),
        (#"\#u{200F}j xg Y، ساعت H:i"#, "azb bcc bgn bqi fa glk lki lrc luz mzn sdh"),
        (#"j F Y H:i"#, "aln mo rmy ro rup ruq ruq-latn sq"),
        (#"j M Y H:i"#, "li nl nl-informal srn vls zea"),
        (#" H:i"၊" j F Y"#, "blk kjp ksw mnw my"),
        (#"H:i, j. F Y."#, "hr rsk sr sr-ec sr-el"),
        (#"H:i، j xg Y"#, "aeb-arab ar arq ary arz"),
        (#"j. F"ta" Y "kello" H.i"#, "fi fit krl olo vot"),
        (#"H.i, j F Y"#, "gag kiu lzz tr"),
        (#"H\hi\m\i\n \d\e j \d\e F \d\e Y"#, "mwl pt tet vmw"),
        (#"j. F Y, "kell" H:i"#, "et liv vep vro"),
        (#"xg j "b." Y "dii." G.i"#, "se se-fi se-no se-se"),
        (#"H:i, Y "j." xg j"#, "kaa kk-latn kk-tr"),
        (#"H:i, Y "ж." xg j"#, "kk kk-cyrl kk-kz"),
        (#"H:i، j xg Yء"#, "khw skr-arab ur"),
        (#"j M Y, H:i"#, "tt tt-cyrl tt-latn"),
        (#"j. M Y, H:i"#, "da jut kl"),
        (#"H:i, Y "s." xg j"#, "crh crh-latn"),
        (#"H:i, j M. Y"#, "eo io"),
        (#"H:i, j. F Y"#, "sk sl"),
        (#"Y". gada" j. F", plkst." H.i"#, "ltg lv"),
        (#"Y. F j., H:i"#, "hu hu-formal"),
        (#"Y년 M월 j일 (D) H:i"#, "ko ko-kp"),
        (#"j. F Y "kl." H:i"#, "is nn"),
        (#"j. M Y "kl." H:i"#, "fo nb"),
        (#"j. M Y "tme" H:i"#, "smn sms"),
        (#"j. xg Y, H:i"#, "dsb hsb"),
        (#"\#u{200F}H:i، Y "ج." xg j"#, "kk-arab kk-cn"),
        (#"\#u{200F}H:i، jی xg Y"#, "ckb ku-arab"),
        (#"H"h"i"min" "de" j "de" F "de" Y"#, "pt-br"),
        (#"H:i, "ngày" j "tháng" n "năm" Y"#, "vi"),
        (#"H:i, Y "с." xg j"#, "crh-cyrl"),
        (#"H:i, Y F j"id""#, "vo"),
        (#"H:i, j F xkY"#, "th"),
        (#"H:i, j \d\i F \d\i Y"#, "kea"),
        (#"H:i, j-F Y"#, "uz"),
        (#"H:i, xg j числа, Y"#, "cu"),
        (#"Y "nièng" n "nguŏk" j "hô̤" (D) H:i"#, "cdo"),
        (#"Y, j F, H:i"#, "ce"),
        (#"Y-"nî" n-"goe̍h" j-"ji̍t" (D) H:i"#, "nan"),
        (#"Y年n月j号 (D) H:i"#, "wuu"),
        (#"Y年n月j日 （D） H時i分"#, "lzh"),
        (#"Y年n月j號 (D) H:i"#, "yue"),
        (#"j "di" M Y "a lis" H:i"#, "fur"),
        (#"j F "de" Y "a" H.i"#, "oc"),
        (#"j F Y "a" H:i"#, "frp"),
        (#"j F Y "kl." H.i"#, "sv"),
        (#"j M Y "da" H:i"#, "br"),
        (#"j M Y, H.i"#, "fy"),
        (#"j \d\e F \d\e Y "ás" H:i"#, "gl"),
        (#"j. n. Y, H:i"#, "cs"),
        (#"j. xg Y. u H:i"#, "sh-latn"),
        (#"ម៉ោងH:i l ទីd F ឆ្នាំY"#, "km"),
    ]

    /// Digits, zero first, and the languages that have them; all others write `0123456789`.
    static let digits: [(digits: String, languages: String)] = [
        ("۰۱۲۳۴۵۶۷۸۹", "azb bcc bgn bqi fa glk kk-arab kk-cn lki lrc luz mzn pnb ps sdh"),
        ("०१२३४५६७८९", "anp awa bh bho dty gom-deva hi ks-deva mai mr ne new pi sa"),
        ("٠١٢٣٤٥٦٧٨٩", "aeb-arab ar ckb ks ks-arab ku-arab skr skr-arab"),
        ("၀၁၂၃၄၅၆၇၈၉", "blk kjp ksw mnw my"),
        ("০১২৩৪৫৬৭৮৯", "as bn bpy"),
        ("೦೧೨೩೪೫೬೭೮೯", "kn tcy"),
        ("༠༡༢༣༤༥༦༧༨༩", "bo dz"),
        ("߀߁߂߃߄߅߆߇߈߉", "nqo"),
        ("૦૧૨૩૪૫૬૭૮૯", "gu"),
        ("୦୧୨୩୪୫୬୭୮୯", "or"),
        ("໐໑໒໓໔໕໖໗໘໙", "lo"),
        ("០១២៣៤៥៦៧៨៩", "km"),
        ("᪀᪁᪂᪃᪄᪅᪆᪇᪈᪉", "nod"),
        ("᱐᱑᱒᱓᱔᱕᱖᱗᱘᱙", "sat"),
        ("〇一二三四五六七八九", "lzh"),
        ("꯰꯱꯲꯳꯴꯵꯶꯷꯸꯹", "mni"),
    ]
}
